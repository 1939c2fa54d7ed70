// Converts a score to text. Stateless; any thread.
namespace Garnet.Persistence.Rdb;

/// <summary>
/// Writes the shortest text of a score, as sorted sets in listpacks store it, and returns its length; the destination has
/// <see cref="RdbPayloadWriter.MaxScoreText"/> bytes.
/// </summary>
internal delegate int ScoreFormatter(double score, Span<byte> destination);
