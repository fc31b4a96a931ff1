import './mantine.css'
import './base.css'
import { CONSOLE } from './application.ts'
import { start } from './frame/app.tsx'
import { router } from './routes.tsx'

start(CONSOLE, router)
