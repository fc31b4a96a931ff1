import { useQuery } from '@tanstack/react-query'
import { type Page, usePages } from '../../pages/data/lists.ts'
import { live } from '../../pages/data/query-client.ts'
import { type Answer, call, list } from './operator-api.ts'

/** When it was read, by the browser's clock: a countdown goes on from there. */
type Read<Row> = Row & { readAt: number }

export type OpenWarning = Read<Answer<'listOpenWarnings'>['items'][number]>
export type DeskWarning = Read<Answer<'getMarginWarning'>>
export type DeskCall = Answer<'getMarginCall'>
export type DeskFacility = Answer<'getFacility'>
export type TimelineEntry = Answer<'readTimeline'>['items'][number]
export type Decision = DeskWarning['decisions'][number]

export type FacilityPath = { tenantId: string; facilityId: string }
export type NumberedPath = FacilityPath & { number: string }

type Filters = Readonly<Record<string, string | undefined>>

const PAGE = 50

const toPath = ({ tenantId, facilityId }: FacilityPath) => ({
  tenant_id: tenantId,
  facility_id: facilityId,
})
const toNumbered = ({ number, ...of }: NumberedPath) => ({ ...toPath(of), number: Number(number) })

export function useOpenWarnings(filters: Filters) {
  return usePages<OpenWarning>({
    key: live('margin', 'warnings', filters),
    read: async (from, signal) => {
      const page = await list('listOpenWarnings', { ...filters, from, limit: PAGE }, signal)
      const readAt = Date.now()
      return { ...page, items: page.items.map((item) => ({ ...item, readAt })) }
    },
  })
}

export function useCalls(filters: Filters) {
  return usePages<DeskCall>({
    key: live('margin', 'calls', filters),
    read: (from, signal): Promise<Page<DeskCall>> =>
      list('listMarginCalls', { ...filters, from, limit: PAGE }, signal),
  })
}

export function useWarning(of: NumberedPath) {
  return useQuery({
    queryKey: live('margin', 'warning', of),
    queryFn: async ({ signal }): Promise<DeskWarning> => ({
      ...(await call('getMarginWarning', { path: toNumbered(of), signal })),
      readAt: Date.now(),
    }),
  })
}

export function useCall(of: NumberedPath) {
  return useQuery({
    queryKey: live('margin', 'call', of),
    queryFn: ({ signal }) => call('getMarginCall', { path: toNumbered(of), signal }),
  })
}

/** The signed file, as it came. */
export async function readReceipt(of: NumberedPath): Promise<string> {
  return String(await call('getReceipt', { path: toNumbered(of), accept: 'application/json' }))
}

export function useFacility(of: FacilityPath) {
  return useQuery({
    queryKey: live('margin', 'facility', of),
    queryFn: ({ signal }) => call('getFacility', { path: toPath(of), signal }),
  })
}

export function useTimeline(of: FacilityPath) {
  return usePages<TimelineEntry>({
    key: live('margin', 'timeline', of),
    read: (from, signal): Promise<Page<TimelineEntry>> =>
      call('readTimeline', {
        path: toPath(of),
        query: { limit: PAGE, ...(from !== undefined && { from }) },
        signal,
      }),
  })
}
