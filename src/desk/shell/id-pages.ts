/** The page that shows what an id names, by the id's prefix. */
export const ID_PAGES: Readonly<Record<string, (id: string) => string>> = {
  apr: (id) => `/approvals?id=${id}`,
}
