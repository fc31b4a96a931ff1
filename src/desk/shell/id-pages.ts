/** The page that shows what an id names, by the id's prefix. */
export const ID_PAGES: Readonly<Record<string, (id: string) => string>> = {
  ten: (id) => `/administration/tenants/${id}`,
  apr: (id) => `/approvals?id=${id}`,
}
