module lendingservice.example/client

go 1.24
