// A server that no one hosts. Stateless.
using System.Net;

namespace Garnet.Server.Basics;

/// <summary>There are no sockets, and the process belongs to others.</summary>
internal sealed class NoHost : IHostFigures
{
    /// <summary>The only one.</summary>
    public static readonly NoHost Instance = new();

    private NoHost() { }

    /// <inheritdoc/>
    public bool OwnsProcess => false;

    /// <inheritdoc/>
    public long ConnectionBytes => 0;

    /// <inheritdoc/>
    public int IoThreads => 0;

    /// <inheritdoc/>
    public IReadOnlyList<EndPoint> EndPoints => [];

    /// <inheritdoc/>
    public IReadOnlyList<EndPoint> TlsEndPoints => [];

    /// <inheritdoc/>
    public TlsCertificates? Certificates => null;
}
