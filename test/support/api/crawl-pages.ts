type Answer = { statusCode: number; headers: Record<string, unknown>; body: string }

export type Visited = { status: number; links: string[]; anchors: Set<string> }

/** Every address that can be reached by the links of pages and of Markdown. */
export async function crawl(
  get: (path: string) => Promise<Answer>,
  start: readonly string[],
): Promise<Map<string, Visited>> {
  const pages = new Map<string, Visited>()
  const waiting = [...start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue
    const { statusCode, headers, body } = await get(path)
    const links = findLinks(String(headers['content-type']), body)
      .map((link) => new URL(link, `http://here${path}`))
      .filter(({ origin }) => OWN.includes(origin))
      .map(({ pathname, hash }) => pathname + hash)
    const anchors = new Set([...body.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))
    pages.set(path, { status: statusCode, links, anchors })
    waiting.push(...links.map(withoutHash).filter((link) => !IN_CONSOLE.test(link)))
  }
  return pages
}

const OWN = ['http://here', 'https://lender.example']
/** An application, whose pages have tests of their own. */
const IN_CONSOLE = /^\/console\//

function findLinks(type: string, body: string): string[] {
  if (type.startsWith('text/html')) {
    return [...body.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link)
  }
  const isMarkdown = type.startsWith('text/markdown') || body.startsWith('# Lending service')
  if (!isMarkdown) return []
  const text = body.replace(/^```.*?^```/gms, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
}

/** Markdown has the headings of its page. */
export function leadsToHeading(pages: ReadonlyMap<string, Visited>, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const page = pages.get(path.replace(/\.md$/, ''))
  return !anchor || page?.anchors.has(decodeURIComponent(anchor)) === true
}

function withoutHash(link: string): string {
  return link.replace(/#.*$/, '')
}
