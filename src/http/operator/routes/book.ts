import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import type { Db } from '../../../db/database.ts'
import { toBookBody, toListBody, toListedBody } from '../../../domain/margin/book/book-document.ts'
import { createBookReader } from '../../../domain/margin/book/book-reader.ts'
import { listBook } from '../../../domain/margin/book/list-book.ts'
import { isTenant } from '../../../domain/tenants/tenants.ts'
import { toPageBody } from '../../schemas/fields.ts'
import type { OperatorApp } from '../operation.ts'
import type { OperatorContext } from '../operator-context.ts'
import { bookListQuery, bookListSchema } from './book-list-schemas.ts'
import { bookSchema, tenantQuery } from './book-schemas.ts'

export function bookRoutes(app: OperatorApp, context: OperatorContext): void {
  const { db, clock, cursors, prices, config, termsAt } = context
  const source = { prices, stack: config.stack, termsAt }
  const readBook = createBookReader(db, source)

  app.get('/book', {
    id: 'getBook',
    summary: 'Show the book: a reading of at most a minute ago',
    tag: 'Book',
    querystring: z.strictObject(tenantQuery),
    response: { 200: bookSchema },
    errors: ['not_found'],
    async handler(request) {
      const { tenant_id: tenantId } = request.query
      await assertTenant(db, tenantId)
      return toBookBody(await readBook(tenantId, clock()))
    },
  })

  app.get('/book/facilities', {
    id: 'listBookFacilities',
    summary: 'List the facilities that make up a figure of the book, the largest part first',
    tag: 'Book',
    querystring: z.strictObject(bookListQuery),
    response: { 200: bookListSchema },
    errors: ['not_found', 'cursor_invalid'],
    async handler(request) {
      const { tenant_id: tenantId, from, limit, figure, country, asset, tier } = request.query
      const { borrower_id: borrowerId, above_ltv: aboveLtvPpm, to_ltv: toLtvPpm } = request.query
      await assertTenant(db, tenantId)
      const ratios = { aboveLtvPpm, toLtvPpm }
      const narrowed = { tenantId, borrowerId, country, asset, tier, ...ratios }
      const filter = { figure, ...narrowed, at: clock() }
      const list = await listBook(db, source, filter, { request: { from, limit }, cursors })
      return { ...(await toPageBody(list, toListedBody)), ...toListBody(list) }
    },
  })
}

/** Refuses `not_found`. */
export async function assertTenant(db: Db, tenantId: string | undefined): Promise<void> {
  if (tenantId === undefined || (await isTenant(db, tenantId))) return
  throw new Refusal('not_found', 'There is no such tenant.')
}
