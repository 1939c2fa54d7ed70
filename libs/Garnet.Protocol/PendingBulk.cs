// A large argument that the buffer holds only partly. A plain value, owned by no thread.
namespace Garnet.Protocol;

/// <summary>A declared, incomplete argument large enough to be received straight into its final place.</summary>
/// <param name="ArgumentIndex">Which argument of the request it is; the command's name is 0.</param>
/// <param name="Length">Its declared length in bytes. Untrusted: nothing may be allocated for it before bytes arrive.</param>
/// <param name="PayloadOffset">Offset of its payload in the buffer.</param>
/// <param name="BytesPresent">
/// How much of the payload the buffer holds; everything after <paramref name="PayloadOffset"/> is payload.
/// </param>
internal readonly record struct PendingBulk(int ArgumentIndex, int Length, int PayloadOffset, int BytesPresent);
