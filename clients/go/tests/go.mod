module lendingservice.example/client/tests

go 1.24

require (
	github.com/lib/pq v1.12.3
	lendingservice.example/client v1.0.0
)

replace lendingservice.example/client => ../
