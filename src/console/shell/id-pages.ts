/** The page that shows what an id names, by the id's prefix. */
export const ID_PAGES: Readonly<Record<string, (id: string) => string>> = {
  key: (id) => `/keys/${id}`,
  whk: (id) => `/webhooks/${id}`,
  evt: (id) => `/events/${id}`,
  bor: (id) => `/borrowers/${id}`,
  // A warning or a margin call is `fac_…/<number>`.
  fac: (id) => `/facilities/${id.replace('%2F', '/')}`,
  drw: (id) => `/draws/${id}`,
  rep: (id) => `/repayments/${id}`,
  req: (id) => `/requests/${id}`,
}
