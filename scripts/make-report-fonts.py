"""Makes the fonts of PDF reports (src/modules/reports/rendering/pdf/fonts) from the fonts of Google Fonts.

They are kept in the repository, so this runs only when a font is added or updated:

    mkdir fonts && cd fonts && npm init -y && npm install @expo-google-fonts/noto-sans @expo-google-fonts/noto-sans-sc ...
    pip install fonttools brotli
    python3 scripts/make-report-fonts.py fonts/node_modules/@expo-google-fonts

Each font loses its hints, which no PDF needs, and is compressed with Brotli. Chinese and
Korean are divided: the common characters come in two weights, the rare ones in one, as a family of their own.
"""

import io
import sys
from pathlib import Path

import brotli
from fontTools import subset
from fontTools.ttLib import TTFont

source = Path(sys.argv[1])
target = Path(__file__).parent.parent / 'src/modules/reports/rendering/pdf/fonts'

UPRIGHT = ('400Regular', '600SemiBold')
WHOLE = {
    'noto-sans': (*UPRIGHT, '400Regular_Italic', '600SemiBold_Italic'),
    'noto-sans-mono': UPRIGHT,
    'vazirmatn': UPRIGHT,
    'noto-sans-arabic': UPRIGHT,
    'noto-sans-hebrew': UPRIGHT,
    'noto-sans-devanagari': UPRIGHT,
    'noto-sans-bengali': UPRIGHT,
    'noto-sans-tamil': UPRIGHT,
    'noto-sans-thai': UPRIGHT,
    'noto-sans-symbols': UPRIGHT,
    'noto-sans-symbols-2': ('400Regular',),
    'noto-sans-math': ('400Regular',),
    'noto-emoji': ('400Regular',),
}


def file_of(package, weight):
    return next((source / package / weight).glob('*.ttf'))


def characters_of(package):
    return set(TTFont(file_of(package, '400Regular'), lazy=True).getBestCmap())


def encoded(codec, leads):
    """The characters of a double-byte character set whose first byte is one of these."""
    pairs = (bytes([lead, trail]) for lead in leads for trail in range(0x40, 0xFF))
    texts = (pair.decode(codec, 'ignore') for pair in pairs)
    return {ord(text) for text in texts if len(text) == 1}


def is_han(point):
    return 0x3400 <= point <= 0x9FFF or 0xF900 <= point <= 0xFAFF or point >= 0x20000


def write(package, weight, points=None, family=None):
    path = file_of(package, weight)
    options = subset.Options()
    options.layout_features = ['*']
    options.hinting = False
    options.name_IDs = ['*']
    font = subset.load_font(path, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=set(font.getBestCmap()) if points is None else points)
    subsetter.subset(font)
    name = path.stem
    if family is not None:
        for record in [record for record in font['name'].names if record.nameID in (1, 4, 6, 16)]:
            text = family.replace(' ', '') if record.nameID == 6 else family
            font['name'].setName(text, record.nameID, record.platformID, record.platEncID, record.langID)
        name = f"{family.replace(' ', '')}_{weight}"
    content = io.BytesIO()
    font.save(content)
    compressed = brotli.compress(content.getvalue(), quality=11, lgwin=24)
    (target / f'{name}.ttf.br').write_bytes(compressed)
    print(name, len(content.getvalue()), len(compressed), flush=True)


chinese, korean = characters_of('noto-sans-sc'), characters_of('noto-sans-kr')
# The first levels of GB 2312, Shift JIS and Big5: what is written in Simplified Chinese, Japanese and Traditional Chinese.
everyday = (
    encoded('gb2312', range(0xB0, 0xD8)) | encoded('shift_jis', range(0x88, 0x99)) | encoded('big5', range(0xA4, 0xC7))
)
common = {point for point in chinese if not is_han(point) or point in everyday}
# Hangul, and the few signs that the Chinese font lacks.
hangul = (korean - chinese) | {0x20}
syllables = encoded('euc_kr', range(0xB0, 0xC9))
everyday_hangul = {point for point in hangul if not 0xAC00 <= point <= 0xD7A3 or point in syllables}

for package, weights in WHOLE.items():
    for weight in weights:
        write(package, weight)
for weight in UPRIGHT:
    write('noto-sans-kr', weight, everyday_hangul)
    write('noto-sans-sc', weight, common)
write('noto-sans-kr', '400Regular', (hangul - everyday_hangul) | {0x20}, 'Noto Sans KR Rare')
write('noto-sans-sc', '400Regular', (chinese - common) | {0x20}, 'Noto Sans SC Rare')
print(sum(path.stat().st_size for path in target.glob('*.br')))
