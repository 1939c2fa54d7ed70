// Thrown where a request wants more memory than it may have.
namespace Garnet.Dashboard.Http;

/// <summary>A session, or all of them, wait for too much to be read.</summary>
internal sealed class OutOfMemoryShareException() : Exception("Too many bytes wait to be read.");
