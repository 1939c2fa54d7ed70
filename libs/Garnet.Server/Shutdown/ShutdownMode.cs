// How the data is saved when the server ends.
namespace Garnet.Server.Shutdown;

/// <summary>Whether a snapshot is saved before the end.</summary>
internal enum ShutdownMode
{
    /// <summary>According to the schedule: saved if it has any entry.</summary>
    BySchedule,

    /// <summary>One is saved.</summary>
    Save,

    /// <summary>None is saved.</summary>
    NoSave,
}
