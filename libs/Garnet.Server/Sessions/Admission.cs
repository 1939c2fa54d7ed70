// The decision on a request before it runs.
namespace Garnet.Server.Sessions;

/// <summary>The answers of <see cref="CommandAdmission"/>.</summary>
internal enum Admission
{
    /// <summary>The command runs now.</summary>
    Run,

    /// <summary>A transaction is open: the command is queued for EXEC.</summary>
    Queue,

    /// <summary>The error has been written.</summary>
    Reject,

    /// <summary>The request must wait for <see cref="CommandAdmission.Wait"/>, and is then checked again from the start.</summary>
    Wait,
}
