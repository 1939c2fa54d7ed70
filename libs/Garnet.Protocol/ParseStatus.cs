// What one call of the parser came to.
namespace Garnet.Protocol;

/// <summary>The outcome of <see cref="RequestParser.Parse"/>.</summary>
public enum ParseStatus
{
    /// <summary>The buffer ends before the request does; call again with more bytes after the same ones.</summary>
    NeedMore,

    /// <summary>One request is complete and the position is after it.</summary>
    Complete,

    /// <summary>
    /// As <see cref="NeedMore"/>, and what is missing is a large argument's payload, described by <see cref="RequestParser.Pending"/>.
    /// </summary>
    PendingBulk,

    /// <summary>The peer broke the protocol: reply <see cref="RequestParser.ErrorText"/> and close.</summary>
    Error,
}
