// What decides about the admission of commands besides the options. Set before sessions run; any thread reads.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Sessions;

/// <summary>Settings of <see cref="CommandAdmission"/> that no client can change.</summary>
internal sealed class AdmissionSettings
{
    /// <summary>
    /// Size from which a request or a transaction is rejected, because its effects could not be propagated; lower in tests.
    /// </summary>
    public long MaxEffectBytes { get; set; } = EffectBuffer.MaxRequestBytes;

    /// <summary>Brings values into memory that are elsewhere; null when all are here.</summary>
    public IValueSource? ValueSource { get; set; }
}
