import { expect, test } from 'vitest'
import { findUnseen, foldReference } from '../../src/core/external-reference.ts'

test.each([
  ['in another case', 'wire-a1', 'WIRE-A1'],
  ['composed or not', 'caf\u00e9', 'cafe\u0301'],
  ['with a sharp s in any of its spellings', 'straße', 'STRASSE'],
  ['with a capital sharp s', 'STRAẞE', 'strasse'],
  ['with a sigma at the end of a word', 'οδος', 'ΟΔΟΣ'],
  ['with a ligature', 'ﬁx', 'FIX'],
  ['with a Kelvin sign', '4\u212a', '4k'],
  ['with a capital letter that has no small letter of one character', '\u0130', 'i\u0307'],
  ['composed and in another case', '\u00c5ngstrom', 'a\u030angstrom'],
])('two references are the same %s', (_, one, other) => {
  expect(foldReference(one)).toBe(foldReference(other))
})

test('references of other letters, digits, marks or blanks are different', () => {
  const references = [
    'wire-1',
    'wire-l',
    'wire 1',
    'wire  1',
    'wíre-1',
    'wire–1',
    'ｗire-1',
    'wire',
  ]
  expect(new Set(references.map(foldReference)).size).toBe(references.length)
})

test('folding a reference twice changes nothing, and the result is normalized', () => {
  for (let code = 1; code <= 0x10_ffff; code += 1) {
    const character = String.fromCodePoint(code)
    if (findUnseen(character) !== undefined) continue
    const folded = foldReference(`a${character}`)
    if (foldReference(folded) !== folded) expect.fail(`U+${code.toString(16)} folds twice`)
    if (folded.normalize('NFC') !== folded) expect.fail(`U+${code.toString(16)} is not composed`)
  }
})

test.each(['wire-20261125-0001', '0x5f…c3', 'Überweisung 7/2', '取引 15', 'naïve', 'دفع'])(
  'a reference is accepted that holds %s',
  (reference) => expect(findUnseen(reference)).toBeUndefined(),
)

test.each([
  ['a blank before it', ' wire-1', 'an outer blank'],
  ['a blank after it', 'wire-1 ', 'an outer blank'],
  ['a zero-width space', 'wire\u200b-1', 'U+200B'],
  ['a zero-width joiner', 'wire\u200d-1', 'U+200D'],
  ['a byte order mark', '\ufeffwire-1', 'U+FEFF'],
  ['a soft hyphen', 'wire\u00ad1', 'U+00AD'],
  ['a mark that turns the direction', 'wire\u202e1', 'U+202E'],
  ['an isolate', 'wire\u20661', 'U+2066'],
  ['a variation selector', 'wire\ufe0f1', 'U+FE0F'],
  ['a tag character', 'wire\u{e0041}', 'U+E0041'],
  ['a Hangul filler', 'wire\u3164', 'U+3164'],
  ['a grapheme joiner', 'wire\u034f1', 'U+034F'],
  ['a blank pattern of braille', 'wire\u2800', 'U+2800'],
  ['a blank that does not break', 'wire\u00a01', 'U+00A0'],
  ['an ideographic blank', 'wire\u30001', 'U+3000'],
  ['a line break', 'wire\n1', 'U+000A'],
  ['a control', 'wire\u0085', 'U+0085'],
  ['a line separator', 'wire\u2028', 'U+2028'],
  ['a character of private use', 'wire\ue000', 'U+E000'],
  ['a code point that is not assigned', 'wire\u0378', 'U+0378'],
  ['one half of a surrogate pair', 'wire\ud800', 'U+D800'],
])('a reference is refused because of %s', (_, reference, found) => {
  expect(findUnseen(reference)).toBe(found)
})
