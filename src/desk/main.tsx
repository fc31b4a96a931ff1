import '../console/mantine.css'
import '../console/base.css'
import { start } from '../console/frame/app.tsx'
import { DESK } from './application.ts'
import { router } from './routes.tsx'

start(DESK, router)
