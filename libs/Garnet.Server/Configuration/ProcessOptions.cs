// The options about the process: its log, its manager, what the system knows of it. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about the process.</summary>
internal static class ProcessOptions
{
    public static OptionDescriptor[] All() => [.. Log(), .. System()];

    private static OptionDescriptor[] Log() =>
        [
            new EnumOption<LogFormat>(
                "log-format",
                static o => o.LogFormat,
                static (o, v) => o.LogFormat = v,
                [("legacy", LogFormat.Legacy), ("logfmt", LogFormat.LogFmt), ("json", LogFormat.Json)]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Format of the log's lines: Redis's, key=value pairs, or one JSON object a line.",
                Mutability = Mutability.Runtime,
            },
            new EnumOption<LogTimestampFormat>(
                "log-timestamp-format",
                static o => o.LogTimestampFormat,
                static (o, v) => o.LogTimestampFormat = v,
                [
                    ("legacy", LogTimestampFormat.Legacy),
                    ("iso8601", LogTimestampFormat.Iso8601),
                    ("milliseconds", LogTimestampFormat.Milliseconds),
                ]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Format of times in the log: local time in words, local time by ISO 8601, or milliseconds since 1970.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("syslog-enabled", static o => o.SyslogEnabled, static (o, v) => o.SyslogEnabled = v)
            {
                Group = OptionGroup.Diagnostics,
                Help = "Send messages to the system's log as well, by the socket /dev/log.",
            },
            new StringOption("syslog-ident", static o => o.SyslogIdent, static (o, v) => o.SyslogIdent = v)
            {
                Group = OptionGroup.Diagnostics,
                Help = "The program's name in the system's log.",
            },
            new EnumOption<SyslogFacility>(
                "syslog-facility",
                static o => o.SyslogFacility,
                static (o, v) => o.SyslogFacility = v,
                [
                    ("user", SyslogFacility.User),
                    ("local0", SyslogFacility.Local0),
                    ("local1", SyslogFacility.Local1),
                    ("local2", SyslogFacility.Local2),
                    ("local3", SyslogFacility.Local3),
                    ("local4", SyslogFacility.Local4),
                    ("local5", SyslogFacility.Local5),
                    ("local6", SyslogFacility.Local6),
                    ("local7", SyslogFacility.Local7),
                ]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Facility of messages in the system's log.",
            },
        ];

    private static OptionDescriptor[] System() =>
        [
            new EnumOption<Supervision>(
                "supervised",
                static o => o.Supervised,
                static (o, v) => o.Supervised = v,
                [("no", Supervision.No), ("systemd", Supervision.Systemd), ("auto", Supervision.Auto), ("upstart", Supervision.Upstart)]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help =
                    "Tell systemd when the server is ready and when it ends: never, always, or if it asks by NOTIFY_SOCKET. upstart has no effect.",
            },
            new BooleanOption("strict", static o => o.Strict, static (o, v) => o.Strict = v)
            {
                Group = OptionGroup.Diagnostics,
                Help = "Refuse to start where the server would otherwise only warn of a setting without effect. --strict alone means yes.",
                IsSwitch = true,
            },
            new StringOption("pidfile", static o => o.PidFile, static (o, v) => o.PidFile = v)
            {
                Group = OptionGroup.Diagnostics,
                Help = "File with the process ID of the running server.",
                EmptyIsAbsent = true,
            },
            new EnumOption<OomScoreAdjustment>(
                "oom-score-adj",
                static o => o.OomScoreAdj,
                static (o, v) => o.OomScoreAdj = v,
                [
                    ("no", OomScoreAdjustment.No),
                    ("yes", OomScoreAdjustment.Relative),
                    ("relative", OomScoreAdjustment.Relative),
                    ("absolute", OomScoreAdjustment.Absolute),
                ]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Set oom_score_adj of the process, by which Linux chooses what to end when memory runs out.",
                Mutability = Mutability.Runtime,
            },
            new OomScoreValuesOption("oom-score-adj-values", static o => o.OomScoreAdjValues, static (o, v) => o.OomScoreAdjValues = v)
            {
                Group = OptionGroup.Diagnostics,
                Help = "Values for oom-score-adj of a primary, a replica, and a child process (of which there are none).",
                Mutability = Mutability.Runtime,
            },
        ];
}
