import type { PageUnderTest } from './pages.ts'

/** Every page of the desk that the pictures show and that axe reads. */
export const DESK_PAGES: readonly PageUnderTest[] = [
  { name: 'book', path: () => '/', heading: 'Book' },
  {
    name: 'book-facilities',
    path: () => '/book/facilities?figure=warnings',
    heading: 'Open warnings',
  },
  { name: 'approvals', path: () => '/approvals', heading: 'Approvals' },
  { name: 'actions', path: () => '/actions', heading: 'Actions' },
  { name: 'operators', path: () => '/operators', heading: 'Operators' },
  { name: 'passkeys', path: () => '/passkeys', heading: 'Passkeys' },
  { name: 'missing', path: () => '/nothing-here', heading: 'No such page' },
]
