// The command line tool: starts the server and waits for it. Single thread.
return 0;
