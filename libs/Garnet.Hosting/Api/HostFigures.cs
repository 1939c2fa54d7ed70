// What a server in this process is told of its host. Any thread.
using System.Net;
using Garnet.Hosting.Kestrel;
using Garnet.Hosting.Tls;
using Garnet.Network;
using Garnet.Server.Basics;

namespace Garnet.Hosting;

/// <summary>Asks transport, endpoints and TLS, which exist before the server does.</summary>
/// <param name="transport">Serves the sockets.</param>
/// <param name="endpoints">All endpoints.</param>
/// <param name="secret">Those with TLS.</param>
/// <param name="tls">The certificates.</param>
/// <param name="ownsProcess">Whether the process is the server's alone.</param>
internal sealed class HostFigures(ITransport transport, KestrelEndpoints endpoints, EndPointGroup secret, TlsGate tls, bool ownsProcess)
    : IHostFigures
{
    /// <inheritdoc/>
    public bool OwnsProcess => ownsProcess;

    /// <inheritdoc/>
    public long ConnectionBytes => transport.AllocatedBytes;

    /// <inheritdoc/>
    public int IoThreads => transport.IoThreads;

    /// <inheritdoc/>
    public IReadOnlyList<EndPoint> EndPoints => [.. endpoints.EndPoints.Except(TlsEndPoints)];

    /// <inheritdoc/>
    public IReadOnlyList<EndPoint> TlsEndPoints => secret.Bound;

    /// <inheritdoc/>
    public TlsCertificates? Certificates => tls.Certificates;
}
