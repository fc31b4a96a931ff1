import { z } from 'zod'
import { inTransaction } from '../../../db/database.ts'
import { setFailureMails, wantsFailureMails } from '../../../domain/console/notifications.ts'
import type { RouteContext } from '../../route-context.ts'
import { actorOf, sessionOf } from '../authenticate-session.ts'
import type { ConsoleApp } from '../operation.ts'

const notifications = z
  .strictObject({
    available: z.boolean().describe('Whether this service can send mails'),
    failure_mails: z.boolean().describe('A mail when a webhook fails or is disabled'),
  })
  .meta({ id: 'Notifications', examples: [{ available: true, failure_mails: true }] })

const wanted = z
  .strictObject({ failure_mails: z.boolean() })
  .meta({ examples: [{ failure_mails: true }] })

export function notificationRoutes(app: ConsoleApp, { config, db, clock }: RouteContext): void {
  const hasMailServer = config.mail !== undefined

  app.get('/notifications', {
    id: 'getNotifications',
    summary: 'Read which mails you get',
    tag: 'Session',
    config: { limitClass: 'console' },
    response: { 200: notifications },
    async handler(request) {
      const { tenant, person } = sessionOf(request)
      const failureMails = await wantsFailureMails(db, tenant.id, person.id)
      return { available: hasMailServer, failure_mails: failureMails }
    },
  })

  app.put('/notifications', {
    id: 'setNotifications',
    summary: 'Choose which mails you get',
    tag: 'Session',
    config: { limitClass: 'console' },
    body: wanted,
    response: { 200: notifications },
    async handler(request) {
      const actor = actorOf(request, clock())
      const { failure_mails: isWanted } = request.body
      await inTransaction(db, (tx) =>
        setFailureMails(tx, actor, { wanted: isWanted, hasMailServer }),
      )
      return { available: hasMailServer, failure_mails: isWanted }
    },
  })
}
