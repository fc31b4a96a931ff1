/**
 * Controls, zero-width and bidirectional marks and all else that shows nothing, blanks other than the
 * plain space, and code points without an assigned meaning, whose case may still change.
 */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{White_Space}/u

/**
 * What in an external reference a reader would not see: `U+200B`, `an outer blank`. Undefined where
 * the reference reads as it is.
 */
export function findUnseen(reference: string): string | undefined {
  if (/^ | $/.test(reference)) return 'an outer blank'
  const [unseen] = UNSEEN.exec(reference) ?? []
  const code = unseen?.codePointAt(0)
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/**
 * The form in which external references are compared: two that differ only in case, or in how their
 * characters are composed, are one. JavaScript has no case folding of its own. Lower case and then
 * upper case gives the same classes as Unicode's full folding (`ß`, `ẞ` and `SS`; all three sigmas),
 * and takes the dotless i for an i besides.
 */
export function foldReference(reference: string): string {
  return reference.normalize('NFD').toLowerCase().toUpperCase().normalize('NFC')
}
