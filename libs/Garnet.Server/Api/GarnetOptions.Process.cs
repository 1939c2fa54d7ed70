// The settings of a server about its process; see GarnetOptions.cs.
namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>
    /// Whether the server refuses to start where it would otherwise only warn: of a setting that has no effect, or of an environment
    /// variable that begins as its own do but is none of them.
    /// </summary>
    public bool Strict { get; set; }

    /// <summary>
    /// The file of the users; empty for none. It must exist. A relative path is relative to <see cref="Dir"/>.
    /// </summary>
    public string AclFile { get; set; } = "";

    internal string AclFilePath => AclFile.Length == 0 ? "" : Path.GetFullPath(Path.Combine(Dir, AclFile));

    /// <summary>Format of the log's lines.</summary>
    public LogFormat LogFormat { get; set; }

    /// <summary>Format of times in the log.</summary>
    public LogTimestampFormat LogTimestampFormat { get; set; }

    /// <summary>Whether messages are also sent to the system's log (syslog). Only the stand-alone server logs by itself.</summary>
    public bool SyslogEnabled { get; set; }

    /// <summary>The program's name in the system's log.</summary>
    public string SyslogIdent { get; set; } = "garnet";

    /// <summary>Facility of messages in the system's log.</summary>
    public SyslogFacility SyslogFacility { get; set; } = SyslogFacility.Local0;

    /// <summary>Whether the stand-alone server tells a service manager when it is ready and when it ends.</summary>
    public Supervision Supervised { get; set; } = Supervision.Auto;

    /// <summary>File into which the stand-alone server writes its process ID while it runs; empty for none.</summary>
    public string PidFile { get; set; } = "";

    /// <summary>Whether and how the stand-alone server sets what Linux considers when memory runs out.</summary>
    public OomScoreAdjustment OomScoreAdj { get; set; }

    /// <summary>
    /// Adjustments of a primary, a replica and a saving child process, each -2000 to 2000. There are no child processes, so that the third
    /// is not used.
    /// </summary>
    public IReadOnlyList<int> OomScoreAdjValues { get; set; } = [0, 200, 800];
}
