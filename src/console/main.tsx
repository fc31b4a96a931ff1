import '../pages/mantine.css'
import '../pages/base.css'
import { start } from '../pages/frame/app.tsx'
import { CONSOLE } from './application.ts'
import { router } from './routes.tsx'

start(CONSOLE, router)
