// What is to become of the data when the server ends.
namespace Garnet.Server.Persistence;

/// <summary>Whether a snapshot is saved before the end.</summary>
public enum ShutdownMode
{
    /// <summary>As the schedule says: with any entry one is saved.</summary>
    BySchedule,

    /// <summary>One is saved.</summary>
    Save,

    /// <summary>None is saved.</summary>
    NoSave,
}
