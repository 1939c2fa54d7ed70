// The settings of a server about what it shows of itself; see GarnetOptions.cs.
namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>Port of the HTTP endpoint for metrics and health, 0 to 65535; 0 opens none.</summary>
    public int MetricsPort { get; set; }

    /// <summary>Addresses of the HTTP endpoint for metrics and health, written as in <see cref="Bind"/>.</summary>
    public IReadOnlyList<string> MetricsBind { get; set; } = ["127.0.0.1"];

    /// <summary>Port of the dashboard, 0 to 65535; 0 opens none.</summary>
    public int DashboardPort { get; set; }

    /// <summary>Addresses of the dashboard, written as in <see cref="Bind"/>.</summary>
    public IReadOnlyList<string> DashboardBind { get; set; } = ["127.0.0.1"];

    /// <summary>Host names under which browsers may ask for the dashboard, besides addresses and localhost.</summary>
    public IReadOnlyList<string> DashboardHosts { get; set; } = [];

    /// <summary>Whether the dashboard's console may change data and settings, as far as its user may.</summary>
    public bool DashboardWrites { get; set; }

    /// <summary>Who may use DEBUG.</summary>
    public CommandAccess EnableDebugCommand { get; set; } = CommandAccess.No;

    /// <summary>Lowest level of messages that are logged.</summary>
    public ServerLogLevel LogLevel { get; set; } = ServerLogLevel.Notice;

    /// <summary>Log file; empty for the console. A relative path is relative to <see cref="Dir"/>.</summary>
    public string LogFile { get; set; } = "";
}
