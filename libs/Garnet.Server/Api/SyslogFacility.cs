// Values of syslog-facility, with their numbers in the protocol of syslog. Immutable; any thread.
namespace Garnet;

/// <summary>Facilities of the system's log.</summary>
public enum SyslogFacility
{
    /// <summary>Programs of users.</summary>
    User = 1,

    /// <summary>Local use 0.</summary>
    Local0 = 16,

    /// <summary>Local use 1.</summary>
    Local1 = 17,

    /// <summary>Local use 2.</summary>
    Local2 = 18,

    /// <summary>Local use 3.</summary>
    Local3 = 19,

    /// <summary>Local use 4.</summary>
    Local4 = 20,

    /// <summary>Local use 5.</summary>
    Local5 = 21,

    /// <summary>Local use 6.</summary>
    Local6 = 22,

    /// <summary>Local use 7.</summary>
    Local7 = 23,
}
