// A large argument of which the buffer holds only a part. A plain value; no thread owns it.
namespace Garnet.Protocol;

/// <summary>A declared, incomplete argument large enough to be received straight into its final place.</summary>
/// <param name="ArgumentIndex">Which argument of the request it is; the command's name is 0.</param>
/// <param name="Length">Its declared length in bytes. A declaration only: nothing may be allocated for it before bytes arrive.</param>
/// <param name="PayloadOffset">Where its payload begins in the buffer.</param>
/// <param name="BytesPresent">
/// How much of the payload the buffer holds; everything after <paramref name="PayloadOffset"/> is payload.
/// </param>
public readonly record struct PendingBulk(int ArgumentIndex, int Length, int PayloadOffset, int BytesPresent);
