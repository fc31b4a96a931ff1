import { useInfiniteQuery } from '@tanstack/react-query'

export type Page<Row> = { items: readonly Row[]; next_cursor?: string | null; has_more?: boolean }

type PagesOptions<Row> = {
  key: readonly unknown[]
  read: (from: string | undefined, signal: AbortSignal) => Promise<Page<Row>>
  enabled?: boolean
  /** For what no event reports. */
  refetchMs?: number
}

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
  return {
    rows: query.data?.pages.flatMap(({ items }) => items) ?? [],
    error: query.error,
    isPending: query.isPending,
    isMore: query.hasNextPage,
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
