import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Search } from '../frame/search.ts'

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
  return { filters, setFilter, isFiltered: Object.keys(filters).length > 0 }
}
