import { stripVTControlCharacters, styleText } from 'node:util'

// styleText omits the codes for NO_COLOR and where standard output is no terminal.
export const bold = (text: string) => styleText('bold', text)
export const dim = (text: string) => styleText('dim', text)
export const good = (text: string) => styleText('green', text)
export const bad = (text: string) => styleText('red', text)
export const topic = (text: string) => styleText('cyan', text)

/** Without the codes, for programs. */
export const plain = stripVTControlCharacters
