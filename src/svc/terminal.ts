import { stripVTControlCharacters, styleText } from 'node:util'

/** styleText leaves the codes out where standard output is no terminal, and for NO_COLOR. */
export const bold = (text: string) => styleText('bold', text)
export const dim = (text: string) => styleText('dim', text)
export const good = (text: string) => styleText('green', text)
export const bad = (text: string) => styleText('red', text)
export const topic = (text: string) => styleText('cyan', text)

/** Without the codes, for programs. */
export const plain = stripVTControlCharacters
