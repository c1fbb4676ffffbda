"""The texts of the golden files: sentences for vectors, odd strings for tokens."""

import random

SENTENCES = [
    "Fill in PDF forms",
    "Extract text and tables from PDF files, fill in forms, and merge documents.",
    "kubernetes",
    "How do I roll back a failed deployment?",
    "Déjà vu — café: HEAD~3 | A=b",
    "Use when the user asks to review a pull request: read the diff, check the tests, and leave comments.",
    "a",
    "The quick brown fox jumps over the lazy dog.",
    "SELECT name, COUNT(*) FROM orders WHERE total >= 100 GROUP BY name;",
    "https://example.org/docs/getting-started?lang=en#install",
    "für übermäßig große Überschriften",
    "数据分析与可视化",
    "データを分析する",
    "Анализ данных и построение графиков",
    "🚀 Launch checklist ✅ — step 1️⃣",
    "func (s *Store) Nearest(ctx context.Context, q []float32, k int) ([]Match, error)",
    "don't “quote” me… it's 20–30 % off",
    "pneumonoultramicroscopicsilicovolcanoconiosis",
    "0123456789 3.14159 1,000,000 2024-02-29",
    "Summarise a long meeting transcript into decisions, owners and dates.",
    "Create, edit and analyse spreadsheets with formulas, charts and pivot tables. "
    "Handles .xlsx, .xlsm, .csv and .tsv, keeps formatting, and recalculates before saving.",
    "Write unit tests first. Run them and see them fail. Write the least code that makes them pass. "
    "Then clean up while everything stays green, and repeat in small steps. " * 4,
    "Deploys a web service to a cluster: builds the image, pushes it, updates the manifest, watches the rollout. " * 9,
    "word " * 400,
]

WORDS = """skill search deploy docker kubernetes python function review commit branch merge test fixture
spreadsheet invoice translate summary transcript latency throughput embedding tokenizer cosine ranking
unbelievable antidisestablishmentarianism photosynthesis misunderstanding preprocessing e-mail state-of-the-art
I'm don't you'll README.md package.json snake_case_name camelCaseName HTTPServer utf-8 x86_64 v1.2.3-rc.4
café naïve résumé Ångström façade jalapeño Zürich São Łódź Şanlıurfa İstanbul STRAẞE straße œuvre Ærø ﬁne ½ ² ™""".split()

ALPHABETS = {
    "latin": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "accented": "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĘęĚěĞğİıŁłŃńŇňŐőŒœŘřŚśŞşŠšŢţŤťŮůŰűŹźŻżŽžƒǍǎǺȘșȚțḂḃḞḟṀṁẀẁẞỲỳ",
    "greek": "αβγδεζηθικλμνξοπρςστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩάέήίόύώΐΰϊϋἀἁἄᾳῆῶ",
    "cyrillic": "абвгдеёжзийклмнопрстуфхцчшщъыьэюяАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯіїєґўљњћџ",
    "hebrew": "אבגדהוזחטיךכלםמןנסעףפץצקרשתְִֵֶַָֹּׁׂ",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءآأؤإئًٌٍَُِّْٰپچژگ٠١٢٣،؛؟",
    "devanagari": "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौ्ंःँ़०१२३।॥",
    "bengali": "অআইঈউকখগঘচছজটঠডতথদনপফবভমযরলশষসহািীুেৈোৌ্ং",
    "tamil": "அஆஇஈஉஊஎஏகஙசஞடணதநனபமயரலவழளறாிீுூெேைொோௌ்",
    "thai": "กขคงจฉชซญดตถทนบปผฝพฟภมยรลวศสหอฮะัาำิีึืุูเแโใไ่้๊๋์ๆ฿๑๒๓",
    "hangul": "가나다라마바사아자차카타파하각난닫랄맘밥삿앙젖찾컴퓨터프로그램데이터검색한국어ㄱㄴㄷㅏㅑ",
    "kana": "あいうえおかがきぎくぐけげこごさざしじすずアイウエオカガキギクグケゲコゴパピプペポーっッ、。「」・",
    "han": "数据分析机器学习搜索引擎文件表格中文漢字語言模型計算機網絡安全測試部署㐀㒵䶵豈更𠀀𠮷𪜀𫝀丽",
    "georgian": "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
    "armenian": "ԱԲԳԴԵԶաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ՞՜։",
    "ethiopic": "ሀለሐመሠረሰሸቀበተቸኀነኘአከኸወዐዘዠየደጀገጠጨጰጸፀፈፐ፡።",
}

MARKS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~«»“”„‘’‚‹›–—―…•·¡¿§¶†‡‰′″※‼⁇⟨⟩「」『』【】〈〉《》、。！？（）：；"
SYMBOLS = "€£¥¢₹₽₿©®™°±×÷≈≠≤≥∞∑∏√∫∂∆←↑→↓↔⇒⇔■□▲△●○★☆♠♥✓✔✗✘☐☑│─┌┐└┘├┤█▒░⌘⌥№ªº¹²³¼½¾^¨¯´¸˜"
EMOJI = ["😀", "🚀", "✅", "❌", "⚠️", "🔥", "👍🏽", "👩‍💻", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "🇯🇵", "1️⃣", "❤️", "🧑🏿‍🚀", "☕", "🫠"]
INVISIBLE = ["\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\ufeff", "\u00ad", "\ufe0f", "\u061c",
             "\x00", "\x01", "\x07", "\x08", "\x0b", "\x0c", "\x1b", "\x1f", "\x7f", "\x80", "\x85", "\x9f",
             "\ufffd", "\ue000", "\U000f0000"]
SPACES = [" ", "  ", "\t", "\n", "\r\n", "\r", "\u00a0", "\u2003", "\u2009", "\u200a", "\u2028", "\u2029",
          "\u202f", "\u205f", "\u3000", "\u1680"]
COMBINING = "\u0300\u0301\u0302\u0303\u0308\u030a\u0327\u0328\u0323\u0331\u0345\u20d0\u20dd"
CODE = [
    "for i in range(10):\n    print(f\"{i:>3}\")", "if err != nil {\n\treturn fmt.Errorf(\"open %s: %w\", p, err)\n}",
    "git rebase -i HEAD~3 && git push --force-with-lease", "curl -sSL 'https://example.org/a?b=c&d=%20' | jq '.[0].x'",
    "<div class=\"a b\">&nbsp;&#x2713;</div>", "```yaml\nname: x\non: [push]\n```", "C:\\Program Files\\x\\y.exe",
    "a=b;c|d>e<f^g`h`~i$j+k", "λx.x → ∀y∈Y", "const π = 3.14", "user.name@example.org", "#!/usr/bin/env bash",
    "[CLS] written [SEP] out [UNK] [MASK] [PAD]", "##ing ## # ###", "__init__.py", "2>&1", "100%", "$HOME/.config",
    "x²+y²=z²", "H₂O", "10⁻⁶", "①②③ ⅣⅧ", "ﬀ ﬁ ﬂ ﬃ ﬄ", "ＦＵＬＬ　ｗｉｄｔｈ　１２３", "Dž ǆ ǅ Ǆ",
]


def strings(count):
    """Returns count different strings, the same on every run."""
    r = random.Random(20240229)
    makers = [_sentence, _script, _mixed, _noise, _joined, _long, _code, _accents]
    found = dict.fromkeys(SENTENCES + WORDS + CODE + EMOJI + INVISIBLE + SPACES + ["", "İ", "ẞ", "ΑΣ", "Σ"])
    found.update(dict.fromkeys(MARKS + SYMBOLS))
    while len(found) < count:
        found.setdefault(r.choice(makers)(r))
    return list(found)[:count]


def _pick(r, choices, low, high):
    return [r.choice(choices) for _ in range(r.randint(low, high))]


def _sentence(r):
    return r.choice(["", " ", "\n"]) + " ".join(_pick(r, WORDS, 1, 14)) + r.choice(".!?:;…\n ")


def _script(r):
    alphabet = r.choice(sorted(ALPHABETS.values()))
    return " ".join("".join(_pick(r, alphabet, 1, 9)) for _ in range(r.randint(1, 8)))


def _mixed(r):
    parts = []
    for _ in range(r.randint(2, 8)):
        parts.append(r.choice([_script, _sentence, lambda r: r.choice(EMOJI), lambda r: r.choice(SYMBOLS)])(r)[:20])
        parts.append(r.choice(SPACES + list(MARKS)))
    return "".join(parts)


def _noise(r):
    pools = [MARKS, SYMBOLS, EMOJI, INVISIBLE, SPACES, COMBINING, *ALPHABETS.values()]
    return "".join(r.choice(r.choice(pools)) for _ in range(r.randint(1, 40)))


def _joined(r):
    glue = r.choice(["-", "_", ".", "/", "\\", "'", "’", "—", "\u200d", "\u00ad", "\u2009", "+", "=", "→", ":", "@"])
    return glue.join(_pick(r, WORDS, 2, 6))


def _long(r):
    alphabet = r.choice(sorted(ALPHABETS.values()))
    return "".join(_pick(r, alphabet, 90, 110)) + " " + "ab" * r.randint(49, 52) + r.choice(MARKS)


def _code(r):
    return r.choice(SPACES).join(_pick(r, CODE, 1, 3))


def _accents(r):
    return "".join(c + "".join(_pick(r, COMBINING, 0, 3)) for word in _pick(r, WORDS, 1, 4) for c in word + " ")
