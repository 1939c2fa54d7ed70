// The options about logs, metrics and debugging. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about what the server shows of itself.</summary>
internal static class DiagnosticsOptions
{
    public static OptionDescriptor[] All() =>
        [
            new IntegerOption("metrics-port", static o => o.MetricsPort, static (o, v) => o.MetricsPort = (int)v, 0, 65535)
            {
                Group = OptionGroup.Diagnostics,
                Help = "HTTP port of /metrics (Prometheus), /healthz/live and /healthz/ready; 0 opens none.",
            },
            new ListOption("metrics-bind", static o => o.MetricsBind, static (o, v) => o.MetricsBind = v, AddressText.MaxCount)
            {
                Group = OptionGroup.Diagnostics,
                Help = "Addresses of metrics-port, as in bind. The endpoint requires no password: anyone who can connect may read it.",
                Check = AddressText.FindProblem,
            },
            new IntegerOption("dashboard-port", static o => o.DashboardPort, static (o, v) => o.DashboardPort = (int)v, 0, 65535)
            {
                Group = OptionGroup.Diagnostics,
                Help =
                    "Port of the dashboard, a page for browsers; with tls-cert-file or tls-pfx-file it is served by HTTPS. 0 opens none.",
            },
            new ListOption("dashboard-bind", static o => o.DashboardBind, static (o, v) => o.DashboardBind = v, AddressText.MaxCount)
            {
                Group = OptionGroup.Diagnostics,
                Help = "Addresses of dashboard-port, as in bind. Without a password only browsers of this machine are answered.",
                Check = AddressText.FindProblem,
            },
            new ListOption("dashboard-hosts", static o => o.DashboardHosts, static (o, v) => o.DashboardHosts = v, AddressText.MaxCount)
            {
                Group = OptionGroup.Diagnostics,
                Help = "Host names under which browsers may ask for the dashboard, besides addresses and localhost.",
                Check = AddressText.FindProblem,
                TooMany = "Too many host names specified.",
            },
            new BooleanOption("dashboard-writes", static o => o.DashboardWrites, static (o, v) => o.DashboardWrites = v)
            {
                Group = OptionGroup.Diagnostics,
                Help = "Whether the dashboard's console may change data and settings, as far as the user who is logged in may.",
            },
            new EnumOption<ServerLogLevel>(
                "loglevel",
                static o => o.LogLevel,
                static (o, v) => o.LogLevel = v,
                [
                    ("debug", ServerLogLevel.Debug),
                    ("verbose", ServerLogLevel.Verbose),
                    ("notice", ServerLogLevel.Notice),
                    ("warning", ServerLogLevel.Warning),
                    ("nothing", ServerLogLevel.Nothing),
                ]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Lowest level of messages that are logged.",
                Mutability = Mutability.Runtime,
            },
            new StringOption("logfile", static o => o.LogFile, static (o, v) => o.LogFile = v)
            {
                Group = OptionGroup.Diagnostics,
                Help = "Log file; \"\" means the console.",
            },
            .. MonitoringOptions.All(),
            new EnumOption<CommandAccess>(
                "enable-protected-configs",
                static o => o.EnableProtectedConfigs,
                static (o, v) => o.EnableProtectedConfigs = v,
                [("no", CommandAccess.No), ("yes", CommandAccess.Yes), ("local", CommandAccess.Local)]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Who may change dir and dbfilename by CONFIG SET: no client, any client, or clients on this machine.",
            },
            new EnumOption<CommandAccess>(
                "enable-debug-command",
                static o => o.EnableDebugCommand,
                static (o, v) => o.EnableDebugCommand = v,
                [("no", CommandAccess.No), ("yes", CommandAccess.Yes), ("local", CommandAccess.Local)]
            )
            {
                Group = OptionGroup.Diagnostics,
                Help = "Who may use DEBUG: no client, any client, or clients on this machine.",
            },
            .. ModuleOptions.All(),
        ];
}
