import { useQueries, useQuery } from '@tanstack/react-query'
import type { ListedWebhook, NewWebhook, Webhook } from '../../client/resources/resources.ts'
import { live } from '../../pages/data/query-client.ts'
import { formatUtc } from '../../pages/parts/values.tsx'
import { service } from './console-api.ts'

export const EVERY_EVENT = 'All events'

export function useWebhooks() {
  return useQuery({
    queryKey: live('webhooks'),
    queryFn: ({ signal }) => service.listWebhooks({ signal }),
  })
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: live('webhook', id),
    queryFn: ({ signal }) => service.getWebhook(id, { signal }),
  })
}

/** `isUnread`: state and counter could not be read. */
export type WebhookRow = ListedWebhook & Partial<Webhook> & { isUnread?: boolean }

/** With state and counter, which the list does not show. */
export function useWebhooksWithState() {
  const list = useWebhooks()
  const each = useQueries({
    queries: (list.data ?? []).map(({ id }) => ({
      queryKey: live('webhook', id),
      queryFn: () => service.getWebhook(id),
    })),
  })
  const webhooks = list.data?.map((webhook, at): WebhookRow => {
    const { data, isError = false } = each[at] ?? {}
    return data ?? { ...webhook, isUnread: isError }
  })
  return { webhooks, error: list.error, isPending: list.isPending }
}

/** The same endpoint and types again. */
export const toNewWebhook = ({
  url,
  label,
  event_types,
}: Pick<Webhook, 'url' | 'label' | 'event_types'>) =>
  ({
    url,
    ...(label && { label }),
    ...(event_types.length > 0 && { event_types }),
  }) as NewWebhook

export function nameOf({ label, url }: { label?: string; url: string }): string {
  return label || url.replace(/^https?:\/\//, '')
}

/** Returns an option of a select. It has the creation date, because several webhooks may have one address. */
export const choiceOf = (webhook: ListedWebhook) => ({
  value: webhook.id,
  label: `${nameOf(webhook)}, since ${formatUtc(webhook.created_at)}`,
})
