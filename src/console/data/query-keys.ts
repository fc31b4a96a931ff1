import { live } from './live-keys.ts'

export const KEYS = live('keys')
export const PEOPLE = ['people']
