const NAMES: Readonly<Record<string, string>> = {
  kyc: 'Identity of a person',
  kyb: 'Identity of a business',
  aml: 'Sanctions screening',
}

export const nameCheck = (kind: string) => NAMES[kind] ?? kind

export const CHECK_KINDS = Object.entries(NAMES).map(([value, label]) => ({ value, label }))
