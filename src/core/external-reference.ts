/** Controls, marks without width, blanks but the plain space, unassigned code points. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{White_Space}/u

export function findUnseen(reference: string): string | undefined {
  if (/^ | $/.test(reference)) return 'an outer blank'
  const [unseen] = UNSEEN.exec(reference) ?? []
  const code = unseen?.codePointAt(0)
  return code === undefined ? undefined : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Lower and then upper case gives the classes of Unicode full folding (`ß`, `ẞ` and `SS`). */
export function foldReference(reference: string): string {
  return reference.normalize('NFD').toLowerCase().toUpperCase().normalize('NFC')
}
