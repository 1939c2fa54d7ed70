// A property for each option of the command line. CommandLineOptionsTests writes this file from OptionTable and compares it. The command
// line's alone, at start.
using CommandLine;

namespace Garnet.Tool;

/// <summary>What CommandLineParser fills. Single values are lists of one: the parser would not notice a single value missing at the end.</summary>
internal sealed class CommandLineOptions
{
    [Value(0)]
    public IEnumerable<string>? File { get; set; }

    [Option("port", Min = 1, Max = 1)]
    public IEnumerable<string>? Port { get; set; }

    [Option("bind", Min = 1)]
    public IEnumerable<string>? Bind { get; set; }

    [Option("unixsocket", Min = 1, Max = 1)]
    public IEnumerable<string>? Unixsocket { get; set; }

    [Option("unixsocketperm", Min = 1, Max = 1)]
    public IEnumerable<string>? Unixsocketperm { get; set; }

    [Option("unixsocketgroup", Min = 1, Max = 1)]
    public IEnumerable<string>? Unixsocketgroup { get; set; }

    [Option("tcp-backlog", Min = 1, Max = 1)]
    public IEnumerable<string>? TcpBacklog { get; set; }

    [Option("tcp-keepalive", Min = 1, Max = 1)]
    public IEnumerable<string>? TcpKeepalive { get; set; }

    [Option("availability-zone", Min = 1, Max = 1)]
    public IEnumerable<string>? AvailabilityZone { get; set; }

    [Option("transport", Min = 1, Max = 1)]
    public IEnumerable<string>? Transport { get; set; }

    [Option("tls-port", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsPort { get; set; }

    [Option("tls-cert-file", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsCertFile { get; set; }

    [Option("tls-key-file", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsKeyFile { get; set; }

    [Option("tls-key-file-pass", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsKeyFilePass { get; set; }

    [Option("tls-pfx-file", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsPfxFile { get; set; }

    [Option("tls-ca-cert-file", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsCaCertFile { get; set; }

    [Option("tls-ca-cert-dir", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsCaCertDir { get; set; }

    [Option("tls-auth-clients", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsAuthClients { get; set; }

    [Option("tls-auth-clients-user", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsAuthClientsUser { get; set; }

    [Option("tls-protocols", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsProtocols { get; set; }

    [Option("tls-ciphers", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsCiphers { get; set; }

    [Option("tls-ciphersuites", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsCiphersuites { get; set; }

    [Option("tls-session-caching", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsSessionCaching { get; set; }

    [Option("tls-auto-reload-interval", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsAutoReloadInterval { get; set; }

    [Option("tls-handshake-timeout-ms", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsHandshakeTimeoutMs { get; set; }

    [Option("tls-write-bytes", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsWriteBytes { get; set; }

    [Option("io-threads", Min = 1, Max = 1)]
    public IEnumerable<string>? IoThreads { get; set; }

    [Option("prefetch-batch-max-size", Min = 1, Max = 1)]
    public IEnumerable<string>? PrefetchBatchMaxSize { get; set; }

    [Option("thread-pool-min-threads", Min = 1, Max = 1)]
    public IEnumerable<string>? ThreadPoolMinThreads { get; set; }

    [Option("thread-pool-max-threads", Min = 1, Max = 1)]
    public IEnumerable<string>? ThreadPoolMaxThreads { get; set; }

    [Option("thread-pool-min-io-completion-threads", Min = 1, Max = 1)]
    public IEnumerable<string>? ThreadPoolMinIoCompletionThreads { get; set; }

    [Option("thread-pool-max-io-completion-threads", Min = 1, Max = 1)]
    public IEnumerable<string>? ThreadPoolMaxIoCompletionThreads { get; set; }

    [Option("client-default-resp", Min = 1, Max = 1)]
    public IEnumerable<string>? ClientDefaultResp { get; set; }

    [Option("extended-redis-compatibility", Min = 1, Max = 1)]
    public IEnumerable<string>? ExtendedRedisCompatibility { get; set; }

    [Option("maxclients", Min = 1, Max = 1)]
    public IEnumerable<string>? Maxclients { get; set; }

    [Option("timeout", Min = 1, Max = 1)]
    public IEnumerable<string>? Timeout { get; set; }

    [Option("protected-mode", Min = 1, Max = 1)]
    public IEnumerable<string>? ProtectedMode { get; set; }

    [Option("requirepass", Min = 1, Max = 1)]
    public IEnumerable<string>? Requirepass { get; set; }

    [Option("aclfile", Min = 1, Max = 1)]
    public IEnumerable<string>? Aclfile { get; set; }

    [Option("acllog-max-len", Min = 1, Max = 1)]
    public IEnumerable<string>? AcllogMaxLen { get; set; }

    [Option("acl-pubsub-default", Min = 1, Max = 1)]
    public IEnumerable<string>? AclPubsubDefault { get; set; }

    [Option("tracking-table-max-keys", Min = 1, Max = 1)]
    public IEnumerable<string>? TrackingTableMaxKeys { get; set; }

    [Option("busy-reply-threshold", Min = 1, Max = 1)]
    public IEnumerable<string>? BusyReplyThreshold { get; set; }

    [Option("lua-time-limit", Min = 1, Max = 1)]
    public IEnumerable<string>? LuaTimeLimit { get; set; }

    [Option("script-memory-limit", Min = 1, Max = 1)]
    public IEnumerable<string>? ScriptMemoryLimit { get; set; }

    [Option("function-memory-limit", Min = 1, Max = 1)]
    public IEnumerable<string>? FunctionMemoryLimit { get; set; }

    [Option("function-load-timeout", Min = 1, Max = 1)]
    public IEnumerable<string>? FunctionLoadTimeout { get; set; }

    [Option("max-cached-scripts", Min = 1, Max = 1)]
    public IEnumerable<string>? MaxCachedScripts { get; set; }

    [Option("function-load", Min = 1)]
    public IEnumerable<string>? FunctionLoad { get; set; }

    [Option("notify-keyspace-events", Min = 1, Max = 1)]
    public IEnumerable<string>? NotifyKeyspaceEvents { get; set; }

    [Option("client-query-buffer-limit", Min = 1, Max = 1)]
    public IEnumerable<string>? ClientQueryBufferLimit { get; set; }

    [Option("client-output-buffer-limit", Min = 1)]
    public IEnumerable<string>? ClientOutputBufferLimit { get; set; }

    [Option("maxmemory-clients", Min = 1, Max = 1)]
    public IEnumerable<string>? MaxmemoryClients { get; set; }

    [Option("maxmemory-unauthenticated-clients", Min = 1, Max = 1)]
    public IEnumerable<string>? MaxmemoryUnauthenticatedClients { get; set; }

    [Option("proto-max-bulk-len", Min = 1, Max = 1)]
    public IEnumerable<string>? ProtoMaxBulkLen { get; set; }

    [Option("maxmemory", Min = 1, Max = 1)]
    public IEnumerable<string>? Maxmemory { get; set; }

    [Option("maxmemory-policy", Min = 1, Max = 1)]
    public IEnumerable<string>? MaxmemoryPolicy { get; set; }

    [Option("maxmemory-samples", Min = 1, Max = 1)]
    public IEnumerable<string>? MaxmemorySamples { get; set; }

    [Option("maxmemory-eviction-tenacity", Min = 1, Max = 1)]
    public IEnumerable<string>? MaxmemoryEvictionTenacity { get; set; }

    [Option("lfu-log-factor", Min = 1, Max = 1)]
    public IEnumerable<string>? LfuLogFactor { get; set; }

    [Option("lfu-decay-time", Min = 1, Max = 1)]
    public IEnumerable<string>? LfuDecayTime { get; set; }

    [Option("hash-seed", Min = 1, Max = 1)]
    public IEnumerable<string>? HashSeed { get; set; }

    [Option("databases", Min = 1, Max = 1)]
    public IEnumerable<string>? Databases { get; set; }

    [Option("hll-sparse-max-bytes", Min = 1, Max = 1)]
    public IEnumerable<string>? HllSparseMaxBytes { get; set; }

    [Option("hash-max-listpack-entries", Min = 1, Max = 1)]
    public IEnumerable<string>? HashMaxListpackEntries { get; set; }

    [Option("hash-max-ziplist-entries", Min = 1, Max = 1)]
    public IEnumerable<string>? HashMaxZiplistEntries { get; set; }

    [Option("hash-max-listpack-value", Min = 1, Max = 1)]
    public IEnumerable<string>? HashMaxListpackValue { get; set; }

    [Option("hash-max-ziplist-value", Min = 1, Max = 1)]
    public IEnumerable<string>? HashMaxZiplistValue { get; set; }

    [Option("list-max-listpack-size", Min = 1, Max = 1)]
    public IEnumerable<string>? ListMaxListpackSize { get; set; }

    [Option("list-max-ziplist-size", Min = 1, Max = 1)]
    public IEnumerable<string>? ListMaxZiplistSize { get; set; }

    [Option("set-max-intset-entries", Min = 1, Max = 1)]
    public IEnumerable<string>? SetMaxIntsetEntries { get; set; }

    [Option("set-max-listpack-entries", Min = 1, Max = 1)]
    public IEnumerable<string>? SetMaxListpackEntries { get; set; }

    [Option("set-max-listpack-value", Min = 1, Max = 1)]
    public IEnumerable<string>? SetMaxListpackValue { get; set; }

    [Option("zset-max-listpack-entries", Min = 1, Max = 1)]
    public IEnumerable<string>? ZsetMaxListpackEntries { get; set; }

    [Option("zset-max-ziplist-entries", Min = 1, Max = 1)]
    public IEnumerable<string>? ZsetMaxZiplistEntries { get; set; }

    [Option("zset-max-listpack-value", Min = 1, Max = 1)]
    public IEnumerable<string>? ZsetMaxListpackValue { get; set; }

    [Option("zset-max-ziplist-value", Min = 1, Max = 1)]
    public IEnumerable<string>? ZsetMaxZiplistValue { get; set; }

    [Option("stream-node-max-bytes", Min = 1, Max = 1)]
    public IEnumerable<string>? StreamNodeMaxBytes { get; set; }

    [Option("stream-node-max-entries", Min = 1, Max = 1)]
    public IEnumerable<string>? StreamNodeMaxEntries { get; set; }

    [Option("dir", Min = 1, Max = 1)]
    public IEnumerable<string>? Dir { get; set; }

    [Option("dbfilename", Min = 1, Max = 1)]
    public IEnumerable<string>? Dbfilename { get; set; }

    [Option("save", Min = 1)]
    public IEnumerable<string>? Save { get; set; }

    [Option("checkpoint-throttle-flush-delay-ms", Min = 1, Max = 1)]
    public IEnumerable<string>? CheckpointThrottleFlushDelayMs { get; set; }

    [Option("rdbcompression", Min = 1, Max = 1)]
    public IEnumerable<string>? Rdbcompression { get; set; }

    [Option("rdbchecksum", Min = 1, Max = 1)]
    public IEnumerable<string>? Rdbchecksum { get; set; }

    [Option("rdb-version-check", Min = 1, Max = 1)]
    public IEnumerable<string>? RdbVersionCheck { get; set; }

    [Option("stop-writes-on-bgsave-error", Min = 1, Max = 1)]
    public IEnumerable<string>? StopWritesOnBgsaveError { get; set; }

    [Option("appendonly", Min = 1, Max = 1)]
    public IEnumerable<string>? Appendonly { get; set; }

    [Option("appendfsync", Min = 1, Max = 1)]
    public IEnumerable<string>? Appendfsync { get; set; }

    [Option("appendfilename", Min = 1, Max = 1)]
    public IEnumerable<string>? Appendfilename { get; set; }

    [Option("appenddirname", Min = 1, Max = 1)]
    public IEnumerable<string>? Appenddirname { get; set; }

    [Option("aof-load-truncated", Min = 1, Max = 1)]
    public IEnumerable<string>? AofLoadTruncated { get; set; }

    [Option("auto-aof-rewrite-percentage", Min = 1, Max = 1)]
    public IEnumerable<string>? AutoAofRewritePercentage { get; set; }

    [Option("auto-aof-rewrite-min-size", Min = 1, Max = 1)]
    public IEnumerable<string>? AutoAofRewriteMinSize { get; set; }

    [Option("no-appendfsync-on-rewrite", Min = 1, Max = 1)]
    public IEnumerable<string>? NoAppendfsyncOnRewrite { get; set; }

    [Option("shutdown-on-sigint", Min = 1)]
    public IEnumerable<string>? ShutdownOnSigint { get; set; }

    [Option("shutdown-on-sigterm", Min = 1)]
    public IEnumerable<string>? ShutdownOnSigterm { get; set; }

    [Option("replicaof", Min = 1)]
    public IEnumerable<string>? Replicaof { get; set; }

    [Option("slaveof", Min = 1)]
    public IEnumerable<string>? Slaveof { get; set; }

    [Option("primaryauth", Min = 1, Max = 1)]
    public IEnumerable<string>? Primaryauth { get; set; }

    [Option("masterauth", Min = 1, Max = 1)]
    public IEnumerable<string>? Masterauth { get; set; }

    [Option("primaryuser", Min = 1, Max = 1)]
    public IEnumerable<string>? Primaryuser { get; set; }

    [Option("masteruser", Min = 1, Max = 1)]
    public IEnumerable<string>? Masteruser { get; set; }

    [Option("replica-serve-stale-data", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplicaServeStaleData { get; set; }

    [Option("slave-serve-stale-data", Min = 1, Max = 1)]
    public IEnumerable<string>? SlaveServeStaleData { get; set; }

    [Option("replica-read-only", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplicaReadOnly { get; set; }

    [Option("slave-read-only", Min = 1, Max = 1)]
    public IEnumerable<string>? SlaveReadOnly { get; set; }

    [Option("replica-ignore-maxmemory", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplicaIgnoreMaxmemory { get; set; }

    [Option("slave-ignore-maxmemory", Min = 1, Max = 1)]
    public IEnumerable<string>? SlaveIgnoreMaxmemory { get; set; }

    [Option("replica-priority", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplicaPriority { get; set; }

    [Option("slave-priority", Min = 1, Max = 1)]
    public IEnumerable<string>? SlavePriority { get; set; }

    [Option("replica-max-lag", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplicaMaxLag { get; set; }

    [Option("replica-announced", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplicaAnnounced { get; set; }

    [Option("replica-announce-ip", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplicaAnnounceIp { get; set; }

    [Option("slave-announce-ip", Min = 1, Max = 1)]
    public IEnumerable<string>? SlaveAnnounceIp { get; set; }

    [Option("replica-announce-port", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplicaAnnouncePort { get; set; }

    [Option("slave-announce-port", Min = 1, Max = 1)]
    public IEnumerable<string>? SlaveAnnouncePort { get; set; }

    [Option("repl-diskless-load", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplDisklessLoad { get; set; }

    [Option("repl-diskless-sync-delay", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplDisklessSyncDelay { get; set; }

    [Option("repl-diskless-sync-max-replicas", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplDisklessSyncMaxReplicas { get; set; }

    [Option("repl-ping-replica-period", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplPingReplicaPeriod { get; set; }

    [Option("repl-ping-slave-period", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplPingSlavePeriod { get; set; }

    [Option("repl-timeout", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplTimeout { get; set; }

    [Option("repl-backlog-size", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplBacklogSize { get; set; }

    [Option("repl-backlog-ttl", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplBacklogTtl { get; set; }

    [Option("repl-send-buffer-size", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplSendBufferSize { get; set; }

    [Option("min-replicas-to-write", Min = 1, Max = 1)]
    public IEnumerable<string>? MinReplicasToWrite { get; set; }

    [Option("min-slaves-to-write", Min = 1, Max = 1)]
    public IEnumerable<string>? MinSlavesToWrite { get; set; }

    [Option("min-replicas-max-lag", Min = 1, Max = 1)]
    public IEnumerable<string>? MinReplicasMaxLag { get; set; }

    [Option("min-slaves-max-lag", Min = 1, Max = 1)]
    public IEnumerable<string>? MinSlavesMaxLag { get; set; }

    [Option("tls-replication", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsReplication { get; set; }

    [Option("metrics-port", Min = 1, Max = 1)]
    public IEnumerable<string>? MetricsPort { get; set; }

    [Option("metrics-bind", Min = 1)]
    public IEnumerable<string>? MetricsBind { get; set; }

    [Option("loglevel", Min = 1, Max = 1)]
    public IEnumerable<string>? Loglevel { get; set; }

    [Option("logfile", Min = 1, Max = 1)]
    public IEnumerable<string>? Logfile { get; set; }

    [Option("commandlog-execution-slower-than", Min = 1, Max = 1)]
    public IEnumerable<string>? CommandlogExecutionSlowerThan { get; set; }

    [Option("slowlog-log-slower-than", Min = 1, Max = 1)]
    public IEnumerable<string>? SlowlogLogSlowerThan { get; set; }

    [Option("commandlog-slow-execution-max-len", Min = 1, Max = 1)]
    public IEnumerable<string>? CommandlogSlowExecutionMaxLen { get; set; }

    [Option("slowlog-max-len", Min = 1, Max = 1)]
    public IEnumerable<string>? SlowlogMaxLen { get; set; }

    [Option("commandlog-request-larger-than", Min = 1, Max = 1)]
    public IEnumerable<string>? CommandlogRequestLargerThan { get; set; }

    [Option("commandlog-large-request-max-len", Min = 1, Max = 1)]
    public IEnumerable<string>? CommandlogLargeRequestMaxLen { get; set; }

    [Option("commandlog-reply-larger-than", Min = 1, Max = 1)]
    public IEnumerable<string>? CommandlogReplyLargerThan { get; set; }

    [Option("commandlog-large-reply-max-len", Min = 1, Max = 1)]
    public IEnumerable<string>? CommandlogLargeReplyMaxLen { get; set; }

    [Option("latency-monitor-threshold", Min = 1, Max = 1)]
    public IEnumerable<string>? LatencyMonitorThreshold { get; set; }

    [Option("latency-tracking", Min = 1, Max = 1)]
    public IEnumerable<string>? LatencyTracking { get; set; }

    [Option("latency-tracking-info-percentiles", Min = 1)]
    public IEnumerable<string>? LatencyTrackingInfoPercentiles { get; set; }

    [Option("enable-protected-configs", Min = 1, Max = 1)]
    public IEnumerable<string>? EnableProtectedConfigs { get; set; }

    [Option("enable-debug-command", Min = 1, Max = 1)]
    public IEnumerable<string>? EnableDebugCommand { get; set; }

    [Option("loadmodule", Min = 1)]
    public IEnumerable<string>? Loadmodule { get; set; }

    [Option("modules-dir", Min = 1, Max = 1)]
    public IEnumerable<string>? ModulesDir { get; set; }

    [Option("enable-module-command", Min = 1, Max = 1)]
    public IEnumerable<string>? EnableModuleCommand { get; set; }

    [Option("log-format", Min = 1, Max = 1)]
    public IEnumerable<string>? LogFormat { get; set; }

    [Option("log-timestamp-format", Min = 1, Max = 1)]
    public IEnumerable<string>? LogTimestampFormat { get; set; }

    [Option("syslog-enabled", Min = 1, Max = 1)]
    public IEnumerable<string>? SyslogEnabled { get; set; }

    [Option("syslog-ident", Min = 1, Max = 1)]
    public IEnumerable<string>? SyslogIdent { get; set; }

    [Option("syslog-facility", Min = 1, Max = 1)]
    public IEnumerable<string>? SyslogFacility { get; set; }

    [Option("supervised", Min = 1, Max = 1)]
    public IEnumerable<string>? Supervised { get; set; }

    [Option("pidfile", Min = 1, Max = 1)]
    public IEnumerable<string>? Pidfile { get; set; }

    [Option("oom-score-adj", Min = 1, Max = 1)]
    public IEnumerable<string>? OomScoreAdj { get; set; }

    [Option("oom-score-adj-values", Min = 1)]
    public IEnumerable<string>? OomScoreAdjValues { get; set; }

    [Option("lazyfree-lazy-eviction", Min = 1, Max = 1)]
    public IEnumerable<string>? LazyfreeLazyEviction { get; set; }

    [Option("lazyfree-lazy-expire", Min = 1, Max = 1)]
    public IEnumerable<string>? LazyfreeLazyExpire { get; set; }

    [Option("lazyfree-lazy-server-del", Min = 1, Max = 1)]
    public IEnumerable<string>? LazyfreeLazyServerDel { get; set; }

    [Option("lazyfree-lazy-user-del", Min = 1, Max = 1)]
    public IEnumerable<string>? LazyfreeLazyUserDel { get; set; }

    [Option("lazyfree-lazy-user-flush", Min = 1, Max = 1)]
    public IEnumerable<string>? LazyfreeLazyUserFlush { get; set; }

    [Option("activedefrag", Min = 1, Max = 1)]
    public IEnumerable<string>? Activedefrag { get; set; }

    [Option("active-defrag-cycle-min", Min = 1, Max = 1)]
    public IEnumerable<string>? ActiveDefragCycleMin { get; set; }

    [Option("active-defrag-cycle-max", Min = 1, Max = 1)]
    public IEnumerable<string>? ActiveDefragCycleMax { get; set; }

    [Option("active-defrag-cycle-us", Min = 1, Max = 1)]
    public IEnumerable<string>? ActiveDefragCycleUs { get; set; }

    [Option("active-defrag-threshold-lower", Min = 1, Max = 1)]
    public IEnumerable<string>? ActiveDefragThresholdLower { get; set; }

    [Option("active-defrag-threshold-upper", Min = 1, Max = 1)]
    public IEnumerable<string>? ActiveDefragThresholdUpper { get; set; }

    [Option("active-defrag-max-scan-fields", Min = 1, Max = 1)]
    public IEnumerable<string>? ActiveDefragMaxScanFields { get; set; }

    [Option("active-defrag-ignore-bytes", Min = 1, Max = 1)]
    public IEnumerable<string>? ActiveDefragIgnoreBytes { get; set; }

    [Option("jemalloc-bg-thread", Min = 1, Max = 1)]
    public IEnumerable<string>? JemallocBgThread { get; set; }

    [Option("disable-thp", Min = 1, Max = 1)]
    public IEnumerable<string>? DisableThp { get; set; }

    [Option("activerehashing", Min = 1, Max = 1)]
    public IEnumerable<string>? Activerehashing { get; set; }

    [Option("active-expire-effort", Min = 1, Max = 1)]
    public IEnumerable<string>? ActiveExpireEffort { get; set; }

    [Option("hz", Min = 1, Max = 1)]
    public IEnumerable<string>? Hz { get; set; }

    [Option("list-compress-depth", Min = 1, Max = 1)]
    public IEnumerable<string>? ListCompressDepth { get; set; }

    [Option("locale-collate", Min = 1, Max = 1)]
    public IEnumerable<string>? LocaleCollate { get; set; }

    [Option("aof-use-rdb-preamble", Min = 1, Max = 1)]
    public IEnumerable<string>? AofUseRdbPreamble { get; set; }

    [Option("aof-rewrite-incremental-fsync", Min = 1, Max = 1)]
    public IEnumerable<string>? AofRewriteIncrementalFsync { get; set; }

    [Option("rdb-save-incremental-fsync", Min = 1, Max = 1)]
    public IEnumerable<string>? RdbSaveIncrementalFsync { get; set; }

    [Option("aof-timestamp-enabled", Min = 1, Max = 1)]
    public IEnumerable<string>? AofTimestampEnabled { get; set; }

    [Option("crash-log-enabled", Min = 1, Max = 1)]
    public IEnumerable<string>? CrashLogEnabled { get; set; }

    [Option("crash-memcheck-enabled", Min = 1, Max = 1)]
    public IEnumerable<string>? CrashMemcheckEnabled { get; set; }

    [Option("hide-user-data-from-log", Min = 1, Max = 1)]
    public IEnumerable<string>? HideUserDataFromLog { get; set; }

    [Option("ignore-warnings", Min = 1, Max = 1)]
    public IEnumerable<string>? IgnoreWarnings { get; set; }

    [Option("repl-diskless-sync", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplDisklessSync { get; set; }

    [Option("repl-disable-tcp-nodelay", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplDisableTcpNodelay { get; set; }

    [Option("replica-lazy-flush", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplicaLazyFlush { get; set; }

    [Option("slave-lazy-flush", Min = 1, Max = 1)]
    public IEnumerable<string>? SlaveLazyFlush { get; set; }

    [Option("rdb-del-sync-files", Min = 1, Max = 1)]
    public IEnumerable<string>? RdbDelSyncFiles { get; set; }

    [Option("replica-ignore-disk-write-errors", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplicaIgnoreDiskWriteErrors { get; set; }

    [Option("dual-channel-replication-enabled", Min = 1, Max = 1)]
    public IEnumerable<string>? DualChannelReplicationEnabled { get; set; }

    [Option("aof-disable-auto-gc", Min = 1, Max = 1)]
    public IEnumerable<string>? AofDisableAutoGc { get; set; }

    [Option("loading-process-events-interval-bytes", Min = 1, Max = 1)]
    public IEnumerable<string>? LoadingProcessEventsIntervalBytes { get; set; }

    [Option("propagation-error-behavior", Min = 1, Max = 1)]
    public IEnumerable<string>? PropagationErrorBehavior { get; set; }

    [Option("daemonize", Min = 1, Max = 1)]
    public IEnumerable<string>? Daemonize { get; set; }

    [Option("cluster-enabled", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterEnabled { get; set; }

    [Option("always-show-logo", Min = 1, Max = 1)]
    public IEnumerable<string>? AlwaysShowLogo { get; set; }

    [Option("set-proc-title", Min = 1, Max = 1)]
    public IEnumerable<string>? SetProcTitle { get; set; }

    [Option("proc-title-template", Min = 1, Max = 1)]
    public IEnumerable<string>? ProcTitleTemplate { get; set; }

    [Option("max-new-connections-per-cycle", Min = 1, Max = 1)]
    public IEnumerable<string>? MaxNewConnectionsPerCycle { get; set; }

    [Option("max-new-tls-connections-per-cycle", Min = 1, Max = 1)]
    public IEnumerable<string>? MaxNewTlsConnectionsPerCycle { get; set; }

    [Option("shutdown-timeout", Min = 1, Max = 1)]
    public IEnumerable<string>? ShutdownTimeout { get; set; }

    [Option("import-mode", Min = 1, Max = 1)]
    public IEnumerable<string>? ImportMode { get; set; }

    [Option("lua-enable-insecure-api", Min = 1, Max = 1)]
    public IEnumerable<string>? LuaEnableInsecureApi { get; set; }

    [Option("lua-enable-deprecated-api", Min = 1, Max = 1)]
    public IEnumerable<string>? LuaEnableDeprecatedApi { get; set; }

    [Option("server-cpulist", Min = 1, Max = 1)]
    public IEnumerable<string>? ServerCpulist { get; set; }

    [Option("server_cpulist", Min = 1, Max = 1)]
    public IEnumerable<string>? Server_cpulist { get; set; }

    [Option("bio-cpulist", Min = 1, Max = 1)]
    public IEnumerable<string>? BioCpulist { get; set; }

    [Option("bio_cpulist", Min = 1, Max = 1)]
    public IEnumerable<string>? Bio_cpulist { get; set; }

    [Option("aof-rewrite-cpulist", Min = 1, Max = 1)]
    public IEnumerable<string>? AofRewriteCpulist { get; set; }

    [Option("aof_rewrite_cpulist", Min = 1, Max = 1)]
    public IEnumerable<string>? Aof_rewrite_cpulist { get; set; }

    [Option("bgsave-cpulist", Min = 1, Max = 1)]
    public IEnumerable<string>? BgsaveCpulist { get; set; }

    [Option("bgsave_cpulist", Min = 1, Max = 1)]
    public IEnumerable<string>? Bgsave_cpulist { get; set; }

    [Option("io-threads-always-active", Min = 1, Max = 1)]
    public IEnumerable<string>? IoThreadsAlwaysActive { get; set; }

    [Option("min-io-threads-avoid-copy-reply", Min = 1, Max = 1)]
    public IEnumerable<string>? MinIoThreadsAvoidCopyReply { get; set; }

    [Option("min-string-size-avoid-copy-reply", Min = 1, Max = 1)]
    public IEnumerable<string>? MinStringSizeAvoidCopyReply { get; set; }

    [Option("min-string-size-avoid-copy-reply-threaded", Min = 1, Max = 1)]
    public IEnumerable<string>? MinStringSizeAvoidCopyReplyThreaded { get; set; }

    [Option("mptcp", Min = 1, Max = 1)]
    public IEnumerable<string>? Mptcp { get; set; }

    [Option("repl-mptcp", Min = 1, Max = 1)]
    public IEnumerable<string>? ReplMptcp { get; set; }

    [Option("socket-mark-id", Min = 1, Max = 1)]
    public IEnumerable<string>? SocketMarkId { get; set; }

    [Option("rdma-port", Min = 1, Max = 1)]
    public IEnumerable<string>? RdmaPort { get; set; }

    [Option("rdma-bind", Min = 1, Max = 1)]
    public IEnumerable<string>? RdmaBind { get; set; }

    [Option("rdma-rx-size", Min = 1, Max = 1)]
    public IEnumerable<string>? RdmaRxSize { get; set; }

    [Option("rdma-completion-vector", Min = 1, Max = 1)]
    public IEnumerable<string>? RdmaCompletionVector { get; set; }

    [Option("tls-session-cache-size", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsSessionCacheSize { get; set; }

    [Option("tls-session-cache-timeout", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsSessionCacheTimeout { get; set; }

    [Option("tls-prefer-server-ciphers", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsPreferServerCiphers { get; set; }

    [Option("tls-dh-params-file", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsDhParamsFile { get; set; }

    [Option("tls-cluster", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsCluster { get; set; }

    [Option("tls-client-cert-file", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsClientCertFile { get; set; }

    [Option("tls-client-key-file", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsClientKeyFile { get; set; }

    [Option("tls-client-key-file-pass", Min = 1, Max = 1)]
    public IEnumerable<string>? TlsClientKeyFilePass { get; set; }

    [Option("bind-source-addr", Min = 1, Max = 1)]
    public IEnumerable<string>? BindSourceAddr { get; set; }

    [Option("use-exit-on-panic", Min = 1, Max = 1)]
    public IEnumerable<string>? UseExitOnPanic { get; set; }

    [Option("enable-debug-assert", Min = 1, Max = 1)]
    public IEnumerable<string>? EnableDebugAssert { get; set; }

    [Option("req-res-logfile", Min = 1, Max = 1)]
    public IEnumerable<string>? ReqResLogfile { get; set; }

    [Option("debug-context", Min = 1, Max = 1)]
    public IEnumerable<string>? DebugContext { get; set; }

    [Option("rdb-key-save-delay", Min = 1, Max = 1)]
    public IEnumerable<string>? RdbKeySaveDelay { get; set; }

    [Option("key-load-delay", Min = 1, Max = 1)]
    public IEnumerable<string>? KeyLoadDelay { get; set; }

    [Option("watchdog-period", Min = 1, Max = 1)]
    public IEnumerable<string>? WatchdogPeriod { get; set; }

    [Option("cluster-require-full-coverage", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterRequireFullCoverage { get; set; }

    [Option("cluster-replica-no-failover", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterReplicaNoFailover { get; set; }

    [Option("cluster-slave-no-failover", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterSlaveNoFailover { get; set; }

    [Option("cluster-allow-reads-when-down", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAllowReadsWhenDown { get; set; }

    [Option("cluster-allow-pubsubshard-when-down", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAllowPubsubshardWhenDown { get; set; }

    [Option("cluster-allow-replica-migration", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAllowReplicaMigration { get; set; }

    [Option("cluster-slot-stats-enabled", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterSlotStatsEnabled { get; set; }

    [Option("cluster-announce-ip", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAnnounceIp { get; set; }

    [Option("cluster-announce-client-ipv4", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAnnounceClientIpv4 { get; set; }

    [Option("cluster-announce-client-ipv6", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAnnounceClientIpv6 { get; set; }

    [Option("cluster-config-file", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterConfigFile { get; set; }

    [Option("cluster-announce-hostname", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAnnounceHostname { get; set; }

    [Option("cluster-announce-human-nodename", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAnnounceHumanNodename { get; set; }

    [Option("cluster-preferred-endpoint-type", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterPreferredEndpointType { get; set; }

    [Option("cluster-config-save-behavior", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterConfigSaveBehavior { get; set; }

    [Option("cluster-databases", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterDatabases { get; set; }

    [Option("cluster-replica-validity-factor", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterReplicaValidityFactor { get; set; }

    [Option("cluster-slave-validity-factor", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterSlaveValidityFactor { get; set; }

    [Option("cluster-migration-barrier", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterMigrationBarrier { get; set; }

    [Option("cluster-port", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterPort { get; set; }

    [Option("cluster-announce-bus-port", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAnnounceBusPort { get; set; }

    [Option("cluster-announce-port", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAnnouncePort { get; set; }

    [Option("cluster-announce-tls-port", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAnnounceTlsPort { get; set; }

    [Option("cluster-announce-client-port", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAnnounceClientPort { get; set; }

    [Option("cluster-announce-client-tls-port", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterAnnounceClientTlsPort { get; set; }

    [Option("cluster-message-gossip-perc", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterMessageGossipPerc { get; set; }

    [Option("cluster-blacklist-ttl", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterBlacklistTtl { get; set; }

    [Option("cluster-slot-migration-log-max-len", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterSlotMigrationLogMaxLen { get; set; }

    [Option("cluster-node-timeout", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterNodeTimeout { get; set; }

    [Option("cluster-ping-interval", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterPingInterval { get; set; }

    [Option("cluster-manual-failover-timeout", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterManualFailoverTimeout { get; set; }

    [Option("cluster-link-sendbuf-limit", Min = 1, Max = 1)]
    public IEnumerable<string>? ClusterLinkSendbufLimit { get; set; }

    [Option("slot-migration-max-failover-repl-bytes", Min = 1, Max = 1)]
    public IEnumerable<string>? SlotMigrationMaxFailoverReplBytes { get; set; }
}
