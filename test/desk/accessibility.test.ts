import { testEveryPage } from '../support/console/every-page.ts'

await testEveryPage('desk')
