import '../pages/mantine.css'
import '../pages/base.css'
import { start } from '../pages/frame/app.tsx'
import { DESK } from './application.ts'
import { router } from './routes.tsx'

start(DESK, router)
