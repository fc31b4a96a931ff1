import { live } from './live.ts'

export const KEYS = live('keys')
export const PEOPLE = ['people']
