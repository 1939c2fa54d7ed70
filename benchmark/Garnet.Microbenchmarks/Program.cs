// Runs the benchmarks that the arguments select. Single thread.
return 0;
