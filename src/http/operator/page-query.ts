import { pageQueryUpTo } from '../schemas/fields.ts'

export const deskPageQuery = pageQueryUpTo(100)
