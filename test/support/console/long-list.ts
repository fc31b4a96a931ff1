import type { Page } from 'playwright-core'

export const ROWS = 10_000
const PAGE_ROWS = 100

/** The event log of a page becomes one of so many events. */
export async function answerLongList(page: Page, rows = ROWS): Promise<void> {
  await page.route('**/console/api/events?**', (route) => {
    const from = Number(new URL(route.request().url()).searchParams.get('from') ?? 0)
    return route.fulfill({ json: makePage(from, rows) })
  })
}

function makePage(from: number, rows: number) {
  const items = Array.from({ length: PAGE_ROWS }, (_, at) => ({
    id: `evt_${from + at}`,
    type: 'borrower.eligible',
    occurred_at: '2026-11-22T12:00:00.000Z',
    resource: { type: 'borrower', id: `bor_${from + at}` },
    resource_version: 1,
    sequence: rows - from - at,
    data: {},
  }))
  const next = from + PAGE_ROWS
  return { items, has_more: next < rows, ...(next < rows && { next_cursor: String(next) }) }
}
