// The value of a module's option. Any thread.
using Garnet.Modules.Running;

namespace Garnet.Modules;

/// <summary>An option of a module.</summary>
/// <typeparam name="T">long, bool or string.</typeparam>
public sealed class ModuleOption<T>
{
    private readonly SettingOf<T> _setting;

    internal ModuleOption(SettingOf<T> setting) => _setting = setting;

    /// <summary>The present value, which CONFIG SET may change at any time: a command reads it once.</summary>
    public T Value => _setting.Value;
}
