// Values of supervised. Immutable; any thread.
namespace Garnet;

/// <summary>How the stand-alone server deals with a service manager.</summary>
public enum Supervision
{
    /// <summary>It tells none.</summary>
    No,

    /// <summary>It tells systemd, and warns when systemd has not asked for it.</summary>
    Systemd,

    /// <summary>It tells systemd if that has asked for it, by NOTIFY_SOCKET.</summary>
    Auto,

    /// <summary>As <see cref="No"/>, with a warning: files for Valkey may say so, but Upstart is not supported.</summary>
    Upstart,
}
