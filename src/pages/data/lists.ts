import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Search } from '../frame/application.ts'

export type Page<Row> = { items: readonly Row[]; next_cursor?: string | null; has_more?: boolean }

type PagesOptions<Row> = {
  key: readonly unknown[]
  read: (from: string | undefined, signal: AbortSignal) => Promise<Page<Row>>
  enabled?: boolean
  /** For what no event reports. */
  refetchMs?: number
}

/** Read by themselves; then the reader asks for more. */
const MAX_EMPTY_PAGES = 10

export type Pages<Row> = ReturnType<typeof usePages<Row>>

/** A list by cursor pages. */
export function usePages<Row>({ key, read, enabled = true, refetchMs }: PagesOptions<Row>) {
  const query = useInfiniteQuery({
    queryKey: [...key, 'pages'],
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: nextCursor,
    enabled,
    refetchInterval: ({ state }) =>
      refetchMs !== undefined && (state.data?.pages.length ?? 0) <= 1 ? refetchMs : false,
  })
  const pages = query.data?.pages ?? []
  const isEmpty =
    pages.length > 0 &&
    pages.length < MAX_EMPTY_PAGES &&
    pages.every(({ items }) => items.length === 0)
  const { hasNextPage, isFetching, fetchNextPage } = query
  useEffect(() => {
    // A page holds what passes the filters among those that were read, which may be none.
    if (isEmpty && hasNextPage && !isFetching) void fetchNextPage()
  }, [isEmpty, hasNextPage, isFetching, fetchNextPage])
  return {
    rows: query.data?.pages.flatMap(({ items }) => items) ?? [],
    error: query.error,
    isPending: query.isPending,
    isMore: query.hasNextPage,
    isReading: query.isFetching,
    isReadingMore: query.isFetchingNextPage,
    readMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
    },
    refresh: () => query.refetch(),
  }
}

function nextCursor(page: Page<unknown>): string | undefined {
  return page.has_more === false ? undefined : (page.next_cursor ?? undefined)
}

export type Filters<Name extends string> = Partial<Record<Name, string>>

/** Filters live in the page's address, so that they can be shared and survive a reload. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const filters: Filters<Name> = {}
  for (const name of names) if (search[name]) filters[name] = search[name]
  const setFilter = (name: Name, value: string) => {
    const { [name]: _, ...others } = search
    void navigate({
      to: '.',
      search: value === '' ? others : { ...others, [name]: value },
      replace: true,
    })
  }
  const bind = (name: Name) => ({
    value: filters[name],
    onChange: (value: string) => setFilter(name, value),
  })
  return { filters, setFilter, bind, isFiltered: Object.keys(filters).length > 0 }
}
