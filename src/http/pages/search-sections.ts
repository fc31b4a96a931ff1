/** A heading of a page, and what stands below it up to the next one. */
export type Section = { path: string; page: string; heading: string; text: string }

export type Found = {
  sections: readonly Section[]
  /** False if no section has all words: these have most of them. */
  hasAll: boolean
}

/** Characters; what follows is not searched for. */
export const LONGEST_QUERY = 100
const MOST_WORDS = 8
const MOST_FOUND = 20

/** Without their endings, "retries" and "signed" are found in "retry" and "signing" too. */
const ENDING = /(?<=\w{4})(?:ies|es|ed|ing|s)$/

/** Lower-case, without common endings, each once. */
export function wordsOf(query: string): readonly string[] {
  const words = query.slice(0, LONGEST_QUERY).toLowerCase().split(/\s+/)
  const stems = words.map((word) => word.replace(ENDING, ''))
  return [...new Set(stems.filter(Boolean))].slice(0, MOST_WORDS)
}

/** Best first. Sections with most of the words come before headings that have one of them, these before texts,
 * and a word's beginning before its middle. */
export function searchSections(sections: readonly Section[], words: readonly string[]): Found {
  const ranked = sections.map((section) => ({ section, ...rate(section, words) }))
  const most = Math.max(0, ...ranked.map(({ count }) => count))
  const best = ranked
    .filter(({ count }) => count > 0 && count === most)
    .sort((one, other) => other.points - one.points)
  return {
    sections: best.slice(0, MOST_FOUND).map(({ section }) => section),
    hasAll: most === words.length,
  }
}

function rate({ page, heading, text }: Section, words: readonly string[]) {
  const places = [
    [heading.toLowerCase(), 8],
    [page.toLowerCase(), 4],
    [text.toLowerCase(), 2],
  ] as const
  const points = words.map((word) => {
    const found = places.map(([place, weight]) => rateWord(place, word) * weight)
    return found.reduce((sum, one) => sum + one, 0)
  })
  return {
    count: points.filter((one) => one > 0).length,
    points: points.reduce((sum, one) => sum + one, 0),
  }
}

/** 2 if a word of the place begins with it, 1 if one contains it. */
function rateWord(place: string, word: string): number {
  const at = place.indexOf(word)
  if (at < 0) return 0
  const isBeginning = at === 0 || !/[\p{L}\p{N}]/u.test(place[at - 1] ?? '')
  return isBeginning ? 2 : 1
}

const BEFORE = 60
const LENGTH = 200

/** The part of a text around the first of the words that it has, cut at spaces. */
export function excerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0)
  const wanted = found.length === 0 ? 0 : Math.min(...found) - BEFORE
  const start = wanted <= 0 ? 0 : lower.indexOf(' ', wanted) + 1
  if (start + LENGTH >= text.length) return `${start > 0 ? '… ' : ''}${text.slice(start).trim()}`
  const space = text.lastIndexOf(' ', start + LENGTH)
  const end = space > start ? space : start + LENGTH
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)} …`
}
