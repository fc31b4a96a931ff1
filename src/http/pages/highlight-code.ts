import { escapeHtml } from './escape-html.ts'

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\x60[^\x60]*\x60`
const NUMBER = String.raw`\b\d[\d_.]*\b`
const C_KEYWORDS =
  'as|async|await|break|case|catch|const|continue|default|defer|else|export|for|from|func|function|if|import|in|interface|let|new|null|of|package|range|return|satisfies|struct|switch|throw|true|false|try|type|undefined|var|while'
const PYTHON_KEYWORDS =
  'and|as|async|await|class|def|elif|else|except|False|finally|for|from|if|import|in|is|lambda|None|not|or|pass|raise|return|True|try|while|with|yield'
/** Without keywords and numbers: in a shell they are mostly parts of other words. */
const SHELL = /(?<comment>(?<=^|\s)#.*)|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')/gm

/** Before a colon a keyword is a member's name. */
const C_LIKE = makeLexer(String.raw`\/\/.*|\/\*[^]*?\*\/`, `(?:${C_KEYWORDS})\\b(?!:)`)
const LEXERS: Readonly<Record<string, RegExp>> = {
  ts: C_LIKE,
  js: C_LIKE,
  go: C_LIKE,
  json: C_LIKE,
  py: makeLexer('#.*', PYTHON_KEYWORDS),
  sh: SHELL,
}

/** Returns escaped HTML. */
export function highlightCode(code: string, language: string): string {
  const lexer = LEXERS[language]
  if (lexer === undefined) return escapeHtml(code)
  let html = ''
  let end = 0
  for (const match of code.matchAll(lexer)) {
    const [[kind = ''] = []] = Object.entries(match.groups ?? {}).filter(([, found]) => found)
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(code.slice(end))
}

/** A quoted name before a colon is a member of JSON. */
function makeLexer(comment: string, keywords: string): RegExp {
  return new RegExp(
    String.raw`(?<comment>${comment})|(?<name>"[^"\\\n]*"(?=\s*:))|(?<string>${STRING})|(?<keyword>\b(?:${keywords})\b)|(?<number>${NUMBER})`,
    'gm',
  )
}
