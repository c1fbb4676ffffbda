package vectorstore_test

import (
	"testing"

	"github.com/skillsearch/skillsearch/storetest"
	"github.com/skillsearch/skillsearch/vectorstore"
	"github.com/skillsearch/skillsearch/vectorstore/internal/kernels"
)

func TestChromemPassesTheStoreSuite(t *testing.T) {
	for _, kernel := range kernels.Available() {
		t.Run(kernel.Name, func(t *testing.T) {
			storetest.Run(t, func(*testing.T) storetest.Store { return vectorstore.NewChromemOn(kernel) })
		})
	}
}
