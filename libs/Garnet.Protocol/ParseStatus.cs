// The result of one call of the parser.
namespace Garnet.Protocol;

/// <summary>The result of <see cref="RequestParser.Parse"/>.</summary>
internal enum ParseStatus
{
    /// <summary>The buffer ends before the request does; call again with the same bytes followed by more.</summary>
    NeedMore,

    /// <summary>One request is complete and the position is after it.</summary>
    Complete,

    /// <summary>
    /// As <see cref="NeedMore"/>, where the missing part is a large argument's payload, described by <see cref="RequestParser.Pending"/>.
    /// </summary>
    PendingBulk,

    /// <summary>The peer violated the protocol: reply <see cref="RequestParser.ErrorText"/> and close.</summary>
    Error,
}
