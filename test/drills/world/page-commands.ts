/** The commands of a section of a page, a list for each block of shell: without comments, aliases and
 * the breaks of long lines. */
export function commandsUnder(page: string, heading: string): string[][] {
  const level = heading.indexOf(' ')
  const [, rest] = page.split(`\n${heading}\n`)
  if (rest === undefined) throw new Error(`the page has no heading ${heading}`)
  const [section = ''] = rest.split(new RegExp(`\\n#{1,${level}} `))
  const blocks = [...section.matchAll(/```sh\n([^`]+)```/g)].map(([, text = '']) => text)
  return blocks.map((text) =>
    text
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('alias ')),
  )
}
